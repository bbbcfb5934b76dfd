import { formatBytes, formatNumber } from '../format';
import { pluralIn } from '../plural';
import type { Texts } from '../texts';

const TAG = 'zh-Hans';
const plural = pluralIn(TAG);
const compact = new Intl.NumberFormat(TAG, { notation: 'compact' });
const number = (value: number): string => formatNumber(TAG, value);

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${number(whole)} 秒` : `${number(minutes)} 分 ${number(whole % 60)} 秒`;
}

/** What the chat says. */
export const chat: Texts['chat'] = {
  conversation: '对话',
  you: '你',
  assistant: '回答',
  messageBy: (who) => `${who}：`,
  loading: '正在打开对话…',
  beginning: '对话开头',
  missing: { title: '这里没有这个对话。', advice: '它可能已在本页或另一个标签页中被删除。', start: '开始新对话' },
  emptyConversation: '这个对话里已经没有消息了。请在下方写一条。',
  toEnd: '回到末尾',
  toEndNew: '下方有新内容',
  answerFinished: '回答已完成。',
  answerStopped: '回答已停止。',
  answerFailed: '回答失败。',
  start: {
    greeting: '想聊点什么？',
    noAccount: '先连接一个模型',
    noAccountAdvice: 'Jackdaw 从这个浏览器直接与你选择的模型对话，中间没有我们的服务器。',
    connect: '连接模型',
    local: '本机上的服务器也可以：Ollama、LM Studio、llama.cpp。',
    onDevice: '或在这台设备上运行模型',
    hintPrivate: '你写的内容在发送给模型之前，都只留在这个浏览器里。',
    hintKept: '什么都不会丢：修改过的消息和另一个回答都会与原来的并存。',
  },
  composer: {
    label: '消息',
    placeholder: '写一条消息',
    send: '发送',
    stop: '停止',
    stopKey: '停止（Esc）',
    sendHint: { enter: 'Enter 发送，Shift + Enter 换行', 'mod-enter': 'Ctrl 或 ⌘ + Enter 发送，Enter 换行' },
    moreWays: '其他发送方式',
    storeOnly: '只添加，不要回答',
    mode: (name) => `模式：${name}`,
    modes: { text: '文本', tools: '工具', 'agent-dev': '开发者' },
    attach: '添加文件',
    attachments: '已添加的文件',
    removeAttachment: (name) => `移除 ${name}`,
    attaching: '正在添加…',
    drop: '把图片、PDF 或音频拖到这里',
    unsupported: {
      'image-unsupported': (model) => `${model} 不能读取图片。请移除图片，或选择支持图片的模型。`,
      'document-unsupported': (model) => `${model} 不能读取 PDF。请移除 PDF，或选择支持 PDF 的模型。`,
      'audio-unsupported': (model) => `${model} 不能听音频。请移除音频，或选择支持音频的模型。`,
    },
    busy: '回答还在生成中。你的文字会留在这里；可以停止回答，或等它结束后再发送。',
  },
  picker: {
    none: '选择模型',
    label: (model) => `模型：${model}`,
    onDevice: '本机模型',
    title: '模型',
    titleDefault: '新对话的模型',
    search: '搜索模型',
    refresh: '刷新列表',
    refreshAll: '刷新模型列表',
    refreshing: '正在获取列表…',
    noAccounts: '还没有账户。连接一个，它的模型就会出现在这里。',
    emptyList: '这个账户还没有列出模型。',
    noMatch: (query) => `没有与“${query}”匹配的模型。`,
    useTyped: (id) => `使用“${id}”`,
    useTypedIn: (account) => `作为 ${account} 上的模型名称`,
    failed: '无法获取列表。',
    manage: '账户',
    vision: '图片',
    tools: '工具',
    reasoning: '思考',
    documents: 'PDF',
    audio: '音频',
    context: (tokens) => compact.format(tokens),
    contextLong: (tokens) => `可读取 ${number(tokens)} 个 token`,
    results: (count) => plural(count, { other: '# 个模型' }),
  },
  actions: {
    label: '消息操作',
    copyText: '复制为 Markdown',
    edit: '编辑',
    regenerate: '重新回答；这个回答会保留',
    continue: '继续',
    delete: '删除',
  },
  branch: {
    label: '其他版本',
    position: (index, count) => `${number(index)}/${number(count)}`,
    positionLong: (index, count) => `第 ${number(index)} 个版本，共 ${number(count)} 个`,
    previous: '上一个版本',
    next: '下一个版本',
  },
  edit: {
    label: '编辑消息',
    send: '发送',
    sendAbout: '保留旧消息，并回答新消息。',
    save: '存为分支',
    saveAbout: '保留旧内容与新内容；不会发送。',
  },
  remove: { title: '删除这条消息？', advice: '只删除这一条，之后的消息会保留。此操作无法撤销。' },
  run: {
    preparing: '正在准备…',
    requesting: (model) => `正在等待 ${model}…`,
    requestingFor: (model, seconds) => `正在等待 ${model}… ${duration(seconds)}`,
    writing: '正在写…',
    finishing: '正在保存…',
    queued: '正在等待另一个回答完成…',
    loading: (model, share) => `正在载入 ${model}… ${share}`,
    reading: (model) => `${model} 正在阅读…`,
    retryIn: (seconds, attempt) =>
      seconds <= 0 ? `正在重试（第 ${number(attempt)} 次）` : `${duration(seconds)}后重试（第 ${number(attempt)} 次）`,
  },
  reasoning: {
    running: (seconds) => `正在思考… ${duration(seconds)}`,
    done: (seconds) => (seconds < 1 ? '思考了片刻' : `思考了 ${duration(seconds)}`),
  },
  find: {
    label: '在此对话中查找',
    field: '在此对话中查找',
    place: (place, count, isSearching) => `${place} / ${count}${isSearching ? '…' : ''}`,
    searching: '正在搜索…',
    nothing: '未找到',
    older: '较早的匹配消息',
    newer: '较新的匹配消息',
    close: '关闭查找',
  },
  spoken: '正在写的回答',
  spokenCode: '代码。',
  refusal: '模型拒绝回答',
  refusalReason: (reason) => `服务方的过滤器中止了这个回答，给出的原因是“${reason}”。`,
  tool: {
    wanted: (name) => `想要使用 ${name}`,
    running: (name) => `正在使用 ${name}…`,
    done: (name) => `使用了 ${name}`,
    failed: (name) => `${name} 运行失败`,
    waiting: (name) => `${name} 等待您决定`,
    declined: (name) => `已拒绝 ${name}`,
  },
  hosted: {
    running: {
      search: '正在搜索网页…',
      page: '正在读取网页…',
      code: '正在服务方运行代码…',
      files: '正在服务方搜索文件…',
      image: '正在生成图片…',
      other: (name) => `服务方正在运行 ${name}…`,
    },
    done: {
      search: '搜索了网页',
      page: '读取了网页',
      code: '在服务方运行了代码',
      files: '在服务方搜索了文件',
      image: '生成了图片',
      other: (name) => `服务方运行了 ${name}`,
    },
    failed: {
      search: '网页搜索失败',
      page: '读取网页失败',
      code: '在服务方运行代码失败',
      files: '在服务方搜索文件失败',
      image: '生成图片失败',
      other: (name) => `服务方运行 ${name} 失败`,
    },
    stopped: {
      search: '网页搜索已停止',
      page: '读取网页已停止',
      code: '在服务方运行代码已停止',
      files: '在服务方搜索文件已停止',
      image: '生成图片已停止',
      other: (name) => `服务方运行 ${name} 已停止`,
    },
    with: (line, queries) => `${line.replace(/…$/, '')}：${queries.join('、')}`,
    queries: '搜索内容',
    code: '代码',
  },
  sources: { label: '来源', count: (count) => plural(count, { other: '# 个来源' }), opens: '在新标签页中打开' },
  file: { document: 'PDF', audio: '音频', play: (name) => `播放 ${name}`, missing: '这个文件已不在这里。' },
  image: { open: (name) => `放大查看 ${name}`, missing: '这张图片已不在这里。', unnamed: '图片' },
  more: '显示全部',
  less: '收起',
  end: {
    length: '已到回答长度上限。',
    interrupted: '这个回答中断了，已收到的内容都已保留。',
    stopped: '已停止。',
    steps: (count) => `已进行 ${number(count)} 步。要继续吗？`,
    filtered: '服务方的过滤器终止了这个回答。',
  },
  next: { continue: '继续', retry: '重试', accounts: '打开账户设置', unlock: '关闭离线锁' },
  usage: {
    label: '关于这个回答',
    tokens: (input, output) =>
      [input === null ? '' : `输入 ${number(input)}`, output === null ? '' : `输出 ${number(output)}`]
        .filter((text) => text !== '')
        .join('，'),
    tokensLong: (input, output) =>
      [input === null ? '' : `读取 ${number(input)} 个 token`, output === null ? '' : `写出 ${number(output)} 个 token`]
        .filter((text) => text !== '')
        .join('，'),
    speed: (tokensPerSecond) => `${number(Math.round(tokensPerSecond * 10) / 10)} token/秒`,
    seconds: (seconds) => (seconds < 10 ? `${number(Math.round(seconds * 10) / 10)} 秒` : duration(seconds)),
  },
  fileSize: (bytes) => formatBytes(TAG, bytes),
  notification: { finished: '回答已完成。', failed: '回答失败。', waiting: '回答正在等待您的决定。' },
};
