import type { ToolTexts } from '../../texts';

export const names: ToolTexts['names'] = {
  tools: {
    calculate: { name: '计算器', effect: '精确计算数字、百分比、日期和单位。' },
    convert_units: { name: '单位换算', effect: '换算长度、重量、容积、温度等单位。' },
    get_date_time: { name: '日期与时间', effect: '查看本机时钟，或其他时区的时间。' },
    ask_user: { name: '提问', effect: '继续之前，给出选项请您决定。' },
    task_create: { name: '任务列表：添加', effect: '记下一项较长工作中的一步。' },
    task_update: { name: '任务列表：更新', effect: '推进某一步，或修改其描述。' },
    task_list: { name: '任务列表', effect: '查看已记下的步骤。' },
    show_image: { name: '显示图片', effect: '再次显示此对话中的图片。' },
    generate_image: { name: '生成图片', effect: '由服务商生成图片，通常会产生费用。' },
    recent_chats: { name: '最近的对话', effect: '列出此助手最近对话的标题。' },
    conversation_search: { name: '搜索对话', effect: '在此助手的以往对话中查找词语。' },
    read_conversation: { name: '阅读对话', effect: '阅读此助手某个以往对话中的消息。' },
    read_tool_output: { name: '阅读长结果', effect: '继续阅读一次读不完的结果。' },
    get_session_capabilities: { name: '当前可用功能', effect: '列出此对话有哪些工具和功能。' },
  },
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
