import { formatNumber } from '../../format';
import { pluralIn } from '../../plural';
import type { ToolTexts } from '../../texts';

const plural = pluralIn('zh-Hans');
const number = (value: number): string => formatNumber('zh-Hans', value);

export const cards: ToolTexts['cards'] = {
  arguments: '参数',
  edited: '您改为',
  result: '结果',
  copy: '复制',
  copied: '已复制',
  took: (seconds) => `用时 ${seconds}`,
  reason: (reason) => `您的说明：“${reason}”`,
  stored: (characters) => `完整结果共 ${number(characters)} 个字符，模型读到的是开头部分。`,
  showAll: '显示全部',
  gone: '完整结果已不在本机。',
  states: {
    pending: '等待您决定。',
    open: '尚未运行。继续回答即可运行。',
    notRun: '没有运行。',
    cutShort: '运行被打断，可能已经生效，也可能没有。',
  },
  failures: {
    'unknown-tool': '模型调用了不存在的工具，因此没有运行。',
    'arguments-truncated': '回答在写这个调用时被截断，因此没有运行。',
    'arguments-invalid': '模型给出的参数不符合要求，因此没有运行。',
    denied: '您拒绝了，因此没有运行。',
    unanswered: '您没有回答。',
    'step-limit': '回答已达到步数上限，因此没有运行。',
    timeout: '用时太长。',
    refused: '无法按模型的要求完成。',
    failed: '没有成功。',
  },
  tasks: { pending: '待办', in_progress: '进行中', completed: '已完成' },
  answered: { own: '您自己的回答', timedOut: '没有人及时回答，已采用推荐选项。' },
  conversations: '查看过的对话',
  steps: {
    title: (count) => plural(count, { other: '# 个步骤' }),
    step: '步骤',
    first: '首个词元',
    total: '用时',
    input: '输入',
    output: '输出',
    reasoning: '思考',
    cached: '来自缓存',
    end: '结束原因',
    sum: '合计',
  },
};
