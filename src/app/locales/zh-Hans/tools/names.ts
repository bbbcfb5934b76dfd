import type { ToolTexts } from '../../texts';

export const names: ToolTexts['names'] = {
  tools: {},
  groups: {
    calculation: '计算',
    time: '日期与时间',
    conversations: '以往对话',
    questions: '向您提问',
    tasks: '任务列表',
    images: '图片',
    session: '当前对话',
  },
};
