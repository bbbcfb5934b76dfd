import type { JsonObject } from '../../../core/errors';
import { hostDetail, numberDetail, providerWords, textDetail } from '../details';
import { formatBytes, formatNumber } from '../format';
import type { Texts } from '../texts';

const TAG = 'zh-Hans';
const server = (details: JsonObject): string => {
  const host = hostDetail(details);
  return host === undefined ? '服务器' : ` ${host} `;
};
const Server = (details: JsonObject): string => server(details).trimStart();
const said = (details: JsonObject): string => {
  const words = providerWords(details);
  return words === undefined ? '' : `对方的说明：“${words}”`;
};
const model = (details: JsonObject): string => {
  const name = textDetail(details, 'modelId') ?? textDetail(details, 'model');
  return name === undefined ? '这个模型' : `${name} `;
};
const size = (details: JsonObject, name: string): string | undefined => {
  const bytes = numberDetail(details, name);
  return bytes === undefined ? undefined : formatBytes(TAG, bytes);
};
const file = (details: JsonObject): string => {
  const name = textDetail(details, 'name');
  return name === undefined ? '这个文件' : `“${name}”`;
};

export const errors: Texts['errors'] = {
  'message-empty': () => ({ title: '还没有可以发送的内容。', advice: '请输入文字或添加文件。' }),
  'model-missing': () => ({ title: '还没有选择模型。', advice: '请在输入框旁选择模型，或先在设置中添加账户。' }),
  'account-missing': () => ({ title: '这个模型所属的账户已不存在。', advice: '请换一个模型，或在设置中重新添加账户。' }),
  'image-unsupported': (details) => ({
    title: `${model(details)}无法识别图片。`,
    advice: '请移除图片，或换用支持视觉的模型。如果它其实支持，可以在账户的模型设置中注明。',
  }),
  'document-unsupported': (details) => ({
    title: `${model(details)}无法读取 PDF。`,
    advice: '请移除 PDF，或换用能读取 PDF 的模型。如果它其实支持，可以在账户的模型设置中注明。',
  }),
  'audio-unsupported': (details) => ({
    title: `${model(details)}无法听音频。`,
    advice: '请移除音频，或换用支持音频的模型。如果它其实支持，可以在账户的模型设置中注明。',
  }),
  'attachment-type': (details) => ({
    title: `${file(details)}的类型不支持添加。`,
    advice: '可以添加图片（PNG、JPEG、WebP、GIF）、PDF 或音频（MP3、WAV、M4A、AAC、Ogg、FLAC、WebM）。',
  }),
  'attachment-too-large': (details) => {
    const limit = size(details, 'limitBytes') ?? size(details, 'maxBytes');
    return { title: `${file(details)}太大了${limit === undefined ? '' : `（上限 ${limit}）`}。`, advice: '请缩小后重新添加。' };
  },
  auth: (details) => ({
    title:
      textDetail(details, 'cause') === 'key-hidden'
        ? `${Server(details)}拒绝了请求且未说明原因，很可能是密钥不对。`
        : `${Server(details)}不接受这个密钥。${said(details)}`,
    advice: '请在账户设置中检查密钥：可能输错、过期，或属于别的服务。',
  }),
  quota: (details) => ({
    title: `${Server(details)}上的账户余额或额度已用完。${said(details)}`,
    advice: '请到服务商处充值，或换用其他账户的模型。',
  }),
  'rate-limit': (details) => {
    const seconds = waitSeconds(details);
    return {
      title: `${Server(details)}收到的请求超过了这个账户的限制。${said(details)}`,
      advice: seconds === undefined ? '请等一分钟再试。' : `请等 ${formatNumber(TAG, seconds)} 秒再试。`,
    };
  },
  overloaded: (details) => ({ title: `${Server(details)}目前负载过高。`, advice: '请稍后再试，或换一个模型。' }),
  timeout: (details) => ({ title: `${Server(details)}没有及时响应。`, advice: '请重试。如果是本机服务器，它可能还在加载模型。' }),
  'request-rejected': (details) => ({
    title: `${Server(details)}拒绝了这个请求${status(details)}。${said(details)}`,
    advice: '请检查账户的附加设置（采样参数、请求头、请求体），或换一个模型。',
  }),
  'model-not-found': (details) => ({
    title: `${Server(details)}上没有${named(details)}。`,
    advice: '请换一个模型。如果是本机服务器，请先下载或加载这个模型。',
  }),
  'context-overflow': () => ({ title: '对话长度超出了这个模型能读取的范围。', advice: '请换用上下文更长的模型，或另开一个新对话。' }),
  refused: (details) => ({ title: `服务商的内容过滤中止了这个回答。${said(details)}`, advice: '请换一种问法，或换一个模型。' }),
  'not-an-api': (details) => ({
    title: `${Server(details)}有响应，但不像是模型服务器。`,
    advice: '请检查地址。兼容 OpenAI 的服务器地址通常以 /v1 结尾。',
  }),
  'stream-cut': () => ({ title: '回答还没结束，连接就断了。', advice: '已收到的内容都已保留，点“继续”即可接着生成。' }),
  'provider-error': (details) => ({
    title: `${Server(details)}自身出现故障${status(details)}。${said(details)}`,
    advice: '请稍后重试，或换一个模型。',
  }),
  'answer-empty': () => ({
    title: '模型什么也没说就结束了。',
    advice: '请重试。如果每次都这样，请调高账户的回答长度上限，或换一个模型。',
  }),
  'model-not-downloaded': (details) => ({
    title: `${model(details)}不在这台设备上。`,
    advice: '请在设置的“本机模型”中下载，或换一个模型。',
  }),
  'model-file-invalid': (details) => ({
    title: `${textDetail(details, 'name') ?? '下载的内容'}不是应有的模型文件。`,
    advice: '请检查地址或文件后重试。',
  }),
  'model-load-failed': (details) => ({
    title: `${model(details)}无法在这台设备上载入。`,
    advice: '请重试，或换一个更小的模型。',
  }),
  'out-of-memory': (details) => ({
    title: `这台设备的内存不足以运行${model(details)}。`,
    advice: `${smaller(details)}关闭其他程序也有帮助。`,
  }),
  'device-lost': (details) => ({ title: '图形处理器在工作中途停止了。', advice: `请重试。${smaller(details)}` }),
  offline: () => ({ title: '设备处于离线状态。', advice: '消息已保存。联网后再试，或使用本机上的服务器。' }),
  'server-unreachable': (details) => ({
    title: `${hostDetail(details) ?? '这个地址'} 没有任何响应。`,
    advice: isLocal(details)
      ? '请在那台机器上启动服务器，再检查地址和端口。'
      : '请检查地址。如果无误，可能是被防火墙或内容拦截插件挡住了，请在其中放行。',
  }),
  'origin-blocked': (details) => ({
    title: `${Server(details)}正在运行，但不允许本页面访问。`,
    advice: `请在服务器设置中允许 ${textDetail(details, 'pageOrigin') ?? '本页面的地址'}，然后重启服务器。`,
  }),
  'mixed-content': (details) => ({
    title: `浏览器不允许安全页面通过 http 访问${server(details).trimEnd()}。`,
    advice: '请改用 https 地址，或在同一台机器上从 http://localhost 打开 Jackdaw。',
  }),
  'local-network-permission': (details) => ({
    title: `浏览器还没有获准访问${hostDetail(details) === undefined ? '本地网络' : server(details).trimEnd()}。`,
    advice: '请再次测试连接并选择“允许”。如果不再弹出询问，请点地址栏左侧的图标重置此权限。',
  }),
  'offline-lock': (details) => ({
    title: `离线锁已开启，没有向${server(details)}发送任何内容。`,
    advice: '如需使用模型，请在“设置 › 隐私”中关闭离线锁。',
  }),
  'address-invalid': (details) => {
    if (textDetail(details, 'reason') === 'redirect') {
      return { title: `${Server(details)}把请求转到了另一个地址。`, advice: '请在账户设置中填写最终地址，以免密钥被转发到别处。' };
    }
    const address = textDetail(details, 'address');
    return {
      title: `${address === undefined ? '这' : `“${address}”`}不是可用的地址。`,
      advice: '请输入以 https:// 或 http:// 开头的完整地址。',
    };
  },
  'header-forbidden': (details) => {
    const header = textDetail(details, 'header');
    return header === undefined
      ? {
          title: `${Server(details)}不接受发送的某个请求头。`,
          advice: '请删除账户的附加请求头。如果是您自己的服务器，请在其 CORS 设置中允许。',
        }
      : { title: `网页不能发送请求头“${header}”。`, advice: '请把它从账户的附加请求头中删除。' };
  },
  'storage-quota': (details) => {
    const [need, have] = [size(details, 'needBytes'), size(details, 'haveBytes')];
    const figures = need === undefined || have === undefined ? '' : `：需要 ${need}，可用 ${have}`;
    return {
      title: `浏览器分配给 Jackdaw 的空间已满${figures}。`,
      advice: '请清理设备空间，或删除旧对话或模型，然后重试。',
    };
  },
  'storage-closed': () => ({ title: '浏览器关闭了 Jackdaw 的存储。', advice: '请重新加载页面，已保存的内容都还在。' }),
  'storage-blocked': () => ({ title: '另一个标签页中的旧版 Jackdaw 占用了存储。', advice: '请关闭其他 Jackdaw 标签页。' }),
  'storage-outdated': () => ({
    title: '此标签页的版本已过时：Jackdaw 已在另一个标签页中更新。',
    advice: '重新加载后即可继续。已发送的内容不会丢失，输入框里的文字也会保留。',
  }),
  'storage-gone': () => ({
    title: 'Jackdaw 存在这里的数据刚刚被另一个标签页或浏览器删除了。',
    advice: '请先复制本页上还需要的内容，再重新加载。输入框里的文字会保留。',
  }),
  'storage-emptied': () => ({
    title: '此浏览器中保存的对话已经不在了：浏览器清理了它们，或网站数据被删除。',
    advice: '如有备份，请导入。在同一页点“请求保护”，或把 Jackdaw 安装为应用，可以保护今后的内容。',
  }),
  'storage-failed': () => ({
    title: '浏览器不允许 Jackdaw 使用存储。',
    advice: '无痕窗口或禁止网站数据都可能导致此问题。请允许本页保存网站数据，然后重新加载。',
  }),
  'key-unreadable': () => ({ title: '这个账户保存的密钥已无法读取。', advice: '请在账户设置中重新输入密钥。' }),
  'conversation-missing': () => ({ title: '这个对话已不存在。', advice: '请从侧栏选择其他对话，或开始新对话。' }),
  'node-missing': () => ({ title: '这条消息已不存在。', advice: '它可能已在另一个标签页中删除，请重新打开对话。' }),
  'node-not-editable': () => ({ title: '现在不能修改这条消息。', advice: '请等回答结束，或先停止它。' }),
  'owner-silent': () => ({ title: '正在生成这个回答的标签页没有反应。', advice: '请切换到那个标签页，或将它关闭，由本页接管。' }),
  'worker-died': () => ({
    title: '负责生成回答的后台程序意外停止。',
    advice: '它已重新启动，收到的内容都已保留。请点“继续”或重试。',
  }),
  interrupted: () => ({ title: '这个回答被中断了。', advice: '已收到的内容都已保留，点“继续”即可接着生成。' }),
  'step-limit': () => ({ title: '回答在 256 步后结束。', advice: '已完成的内容都已保留，发一条消息即可让它继续。' }),
  'call-not-pending': () => ({ title: '这一项已经处理过，或已被停止。', advice: '没有任何改动，现在显示的就是当前状态。' }),
  'call-elsewhere': () => ({ title: '这个问题属于另一个对话。', advice: '请打开那个对话再回答。' }),
  'answer-incomplete': () => ({ title: '还有问题没有回答。', advice: '请为每个问题选择一项，或自己填写。' }),
  'arguments-invalid': () => ({ title: '这些参数不符合工具的要求。', advice: '参数必须是 JSON 对象。请修改，或按原样运行。' }),
  'import-format': () => ({ title: '这不是 Jackdaw 的导出文件。', advice: '请选择用“设置 › 数据”中的“导出”生成的文件。' }),
  'import-newer': () => ({ title: '这个导出文件来自更新版本的 Jackdaw。', advice: '请先更新这里的 Jackdaw（重新加载页面），再导入。' }),
  'import-damaged': () => ({ title: '导出文件已损坏：结尾或部分内容缺失。', advice: '请重新导出，或换一份副本。这里的数据没有任何改动。' }),
  internal: () => ({ title: 'Jackdaw 内部出错了。', advice: '请重试。如果问题依旧，请重新加载页面，已保存的内容不会丢失。' }),
};

function smaller(details: JsonObject): string {
  const name = textDetail(details, 'smaller');
  return name === undefined ? '更小的模型也许可以。' : `${name}更小，也许可以。`;
}

function isLocal(details: JsonObject): boolean {
  const space = textDetail(details, 'space');
  return space === 'loopback' || space === 'private';
}

function status(details: JsonObject): string {
  const code = numberDetail(details, 'status');
  return code === undefined || code === 0 ? '' : `（状态码 ${String(code)}）`;
}

function named(details: JsonObject): string {
  const name = textDetail(details, 'modelId') ?? textDetail(details, 'model');
  return name === undefined ? '这个模型' : `模型“${name}”`;
}

function waitSeconds(details: JsonObject): number | undefined {
  const waitMs = numberDetail(details, 'retryAfterMs');
  return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1000));
}
