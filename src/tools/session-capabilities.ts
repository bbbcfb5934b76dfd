import * as v from 'valibot';
import { defineTool } from './define-tool';

/** Says what this chat can do. */
export const sessionCapabilities = defineTool({
  name: 'get_session_capabilities',
  group: 'session',
  approval: 'never',
  isAgentTool: false,
  description:
    'List what this chat can do right now: its tools, and which features are on. Use it when the user asks what is possible here.',
  parameters: v.strictObject({}),
  available: () => true,
  execute: async (_args, { facts, toolNames }) => {
    const { controls, capabilities } = facts;
    const report = {
      toolCallsAvailable: true,
      memory: { enabled: false },
      knowledgeBase: { enabled: false },
      features: {
        recentChatsReference: toolNames.includes('recent_chats'),
        providerWebSearch: controls.webSearch && (capabilities.hostedSearch ?? false),
        thinking: controls.thinking && capabilities.reasoning,
        seesPictures: capabilities.vision,
        makesPictures: facts.makesImages,
        workspaceBound: false,
        skillsEnabled: false,
      },
      availableTools: [...new Set(toolNames)].sort(),
    };
    return Promise.resolve({ text: JSON.stringify(report) });
  },
});
