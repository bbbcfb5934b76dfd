import { createSubscriber } from 'svelte/reactivity';

const root = document.documentElement;

const subscribe = createSubscriber((update) => {
  const observer = new MutationObserver(update);
  observer.observe(root, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
});

/** Whether the page is dark, for what is drawn in colours of its own. Reactive. */
export function isDarkPage(): boolean {
  subscribe();
  return root.dataset['theme'] === 'dark';
}
