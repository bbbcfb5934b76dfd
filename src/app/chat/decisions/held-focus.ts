import type { Attachment } from 'svelte/attachments';

/**
 * Calls `onlost` when the element that had the focus goes away in here, by whatever hand, and `ongone` when all of this goes with it: someone at the
 * keyboard must not have to find their place again. Never while the focus is elsewhere, so it takes nothing from anyone who is typing.
 */
export function heldFocus(onlost: () => void, ongone: () => void): Attachment<HTMLElement> {
  return (element) => {
    const page = element.ownerDocument;
    let isHeld = element.contains(page.activeElement);
    const note = ({ target }: Event): void => {
      isHeld = target instanceof Node && element.contains(target);
    };
    const look = (): void => {
      const { activeElement } = page;
      if (isHeld && (activeElement === null || activeElement === page.body || !activeElement.isConnected)) onlost();
    };
    const observer = new MutationObserver(look);
    observer.observe(element, { childList: true, subtree: true });
    page.addEventListener('focusin', note);
    // A click on what takes no focus leaves as well.
    page.addEventListener('pointerdown', note);
    return () => {
      observer.disconnect();
      page.removeEventListener('focusin', note);
      page.removeEventListener('pointerdown', note);
      if (isHeld && (element.contains(page.activeElement) || page.activeElement === page.body)) ongone();
    };
  };
}
