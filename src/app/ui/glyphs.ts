import Check from '@lucide/svelte/icons/check';
import CodeXml from '@lucide/svelte/icons/code-xml';
import Copy from '@lucide/svelte/icons/copy';
import Pencil from '@lucide/svelte/icons/pencil';
import RefreshCw from '@lucide/svelte/icons/refresh-cw';
import TextWrap from '@lucide/svelte/icons/text-wrap';
import Trash2 from '@lucide/svelte/icons/trash-2';

/** The icons that stand in every message and code block. Each is built once for the page, in `GlyphSheet`, and only referred to elsewhere. */
export const GLYPHS = {
  check: Check,
  code: CodeXml,
  copy: Copy,
  pencil: Pencil,
  refresh: RefreshCw,
  wrap: TextWrap,
  trash: Trash2,
} as const;

export type GlyphName = keyof typeof GLYPHS;
