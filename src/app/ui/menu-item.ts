import type { Component } from 'svelte';

/** One line of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon: Component<{ size?: number | string; strokeWidth?: number | string }>;
  /** Something is deleted by it. */
  readonly isDanger?: boolean;
  /** Called once the menu is closed and its button has the focus back. */
  run(): void;
}
