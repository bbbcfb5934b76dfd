import type { ToolTexts } from '../../texts';

export const controls: ToolTexts['controls'] = {
  title: '此对话可以做什么',
  titleDefault: '新对话可以做什么',
  mode: '模式',
  modes: {
    text: { name: '文本', effect: '只聊天，不运行任何东西。' },
    tools: { name: '工具', effect: '模型可以使用工具，重要操作会先征求您的同意。' },
    'agent-dev': { name: '开发者', effect: '与“工具”相同，另外显示每一步及其开销，并在本机保存日志。' },
  },
  webSearch: { name: '联网搜索', effect: '服务商可以为回答搜索网络。' },
  thinking: { name: '思考', effect: '模型可以先思考再回答。关闭后更快、更省。' },
  agentTools: { name: '代理工具', effect: '任务列表、向您提问、以往对话和图片。' },
  noTools: '这个模型不能调用工具，只能聊天。',
  noSearchModel: '这个模型的服务商不支持联网搜索。',
  noSearchAccount: '该账户尚未允许，请在账户设置中开启。',
  noThinking: '这个模型不会先思考再回答。',
  textMode: '仅在“工具”和“开发者”模式下可用。',
  account: '打开账户',
  manage: '逐个管理工具',
};
