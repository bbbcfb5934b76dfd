import { dirname, join, relative, sep } from 'node:path';
import { LAYERS, PACKAGE_HOMES } from './layers.js';

/**
 * Imports go only downwards. The rule reads the import's own text: every import in this repository is relative and no alias exists, so the
 * layer that it reaches stands in it, whether the file is there or not. It sees imports, type imports, exports from, `import()`, import
 * types and `new URL(…, import.meta.url)`.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const layerRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      upwards: '{{from}} may not import {{to}}: see section 1 of docs/architecture.md.',
      stray: '{{package}} may only be imported in {{homes}}.',
      outside: 'Product code may not import from outside src.',
    },
  },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const from = layerOf(file);
    if (from === undefined) return {};
    const allowed = [from.name, ...from.mayImport];

    /** @param {import('eslint').Rule.Node} node @param {unknown} source */
    const check = (node, source) => {
      if (typeof source !== 'string') return;
      if (!source.startsWith('.')) return checkPackage(node, source);
      const target = join(dirname(file), source).split(sep).join('/');
      const to = layerOf(`${target}/`);
      if (to === undefined) context.report({ node, messageId: 'outside' });
      else if (!allowed.includes(to.name)) context.report({ node, messageId: 'upwards', data: { from: from.name, to: to.name } });
    };
    /** @param {import('eslint').Rule.Node} node @param {string} source */
    const checkPackage = (node, source) => {
      const home = PACKAGE_HOMES.find((entry) => source === entry.package || source.startsWith(`${entry.package}/`));
      if (home === undefined || home.layers.includes(from.name)) return;
      context.report({ node, messageId: 'stray', data: { package: home.package, homes: home.layers.join(', ') } });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source.value),
      ExportNamedDeclaration: (node) => check(node, node.source?.value),
      ExportAllDeclaration: (node) => check(node, node.source.value),
      ImportExpression: (node) => check(node, node.source.type === 'Literal' ? node.source.value : undefined),
      // `import('…')` in a type; the parser's own node, unknown to the standard tree.
      TSImportType: (/** @type {import('eslint').Rule.Node & { source?: { value?: unknown } }} */ node) => check(node, node.source?.value),
      'NewExpression[callee.name="URL"]': (/** @type {import('eslint').Rule.Node & { type: 'NewExpression' }} */ node) => {
        const [path, base] = node.arguments;
        if (path?.type === 'Literal' && base?.type === 'MemberExpression' && base.object.type === 'MetaProperty') {
          // The page starts workers by their address; that is what the engine is for.
          if (file !== 'src/app/engine.ts') check(node, path.value);
        }
      },
    };
  },
};

/** @param {string} path from the repository's root, with slashes */
function layerOf(path) {
  return LAYERS.find((layer) => path.startsWith(`src/${layer.name}/`));
}
