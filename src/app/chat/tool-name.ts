import type { AppContext } from '../app-context';

/** What a tool is called in the user's language; the name that models use until that is known, and for tools from elsewhere. */
export function toolName({ toolTexts }: Pick<AppContext, 'toolTexts'>, name: string): string {
  const known = Object.entries(toolTexts.current?.names.tools ?? {}).find(([tool]) => tool === name);
  return known?.[1].name ?? name;
}
