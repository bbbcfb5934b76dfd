const GAP_PX = 6;
const EDGE_PX = 8;
/** Taller than this no list needs to be. */
const MAX_HEIGHT_PX = 480;

/**
 * Puts a fixed popup above its button, or below it where there is more room, inside the window, and keeps it there while the window changes.
 * Returns the end of it. (CSS anchors would do this, but not in every browser that the app supports.)
 */
export function placeBeside(popup: HTMLElement, anchor: HTMLElement): () => void {
  const place = (): void => {
    const { top, bottom, left, right } = anchor.getBoundingClientRect();
    const { innerWidth, innerHeight } = window;
    const above = top - GAP_PX - EDGE_PX;
    const below = innerHeight - bottom - GAP_PX - EDGE_PX;
    const isAbove = above >= Math.min(below, MAX_HEIGHT_PX);
    popup.style.maxHeight = `${Math.min(isAbove ? above : below, MAX_HEIGHT_PX)}px`;
    popup.style.bottom = isAbove ? `${innerHeight - top + GAP_PX}px` : 'auto';
    popup.style.top = isAbove ? 'auto' : `${bottom + GAP_PX}px`;
    const start = getComputedStyle(anchor).direction === 'rtl' ? right - popup.offsetWidth : left;
    popup.style.left = `${Math.max(EDGE_PX, Math.min(start, innerWidth - popup.offsetWidth - EDGE_PX))}px`;
  };
  place();
  const observer = new ResizeObserver(place);
  observer.observe(anchor);
  window.addEventListener('resize', place);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', place);
  };
}
