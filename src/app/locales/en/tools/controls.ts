/** Mode and switches beside the composer. */
export const controls = {
  title: 'What this conversation may do',
  titleDefault: 'What new conversations may do',
  mode: 'Mode',
  modes: {
    text: { name: 'Text', effect: 'Only talk. Nothing is run.' },
    tools: { name: 'Tools', effect: 'The model may use tools; you are asked where it matters.' },
    'agent-dev': { name: 'Agent-dev', effect: 'As Tools, with every step and its cost shown, and a log kept on this device.' },
  },
  webSearch: { name: 'Web search', effect: 'The provider may search the web for an answer.' },
  thinking: { name: 'Thinking', effect: 'The model may think before it answers. Off is quicker and cheaper.' },
  agentTools: { name: 'Agent tools', effect: 'Task lists, questions to you, earlier conversations and pictures.' },
  noTools: 'This model can’t call tools, so it only talks.',
  noSearchModel: 'This model’s provider does not search the web.',
  noSearchAccount: 'The account does not allow it yet. Turn it on in the account’s settings.',
  noThinking: 'This model does not think before it answers.',
  textMode: 'Only in Tools and Agent-dev.',
  account: 'Open the account',
  manage: 'Decide about single tools',
};
