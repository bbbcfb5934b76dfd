import type { Texts } from '../texts';
import { formatNumber } from '../format';

const TAG = 'zh-Hans';

export const markdown: Texts['markdown'] = {
  code: '代码',
  copyCode: '复制代码',
  copied: '已复制',
  copyRefused: '浏览器不允许复制。代码已选中。',
  wrapLines: '自动换行',
  hiddenDirection: '这段代码含有会改变显示顺序的隐藏字符。',
  diagram: '图表',
  diagramSource: '显示源代码',
  table: '表格',
  loadImage: '加载图片',
  loadingImage: '正在加载…',
  imageNotLoaded: '无法在此显示图片。',
  openInNewTab: '在新标签页中打开',
  imageWithoutDescription: '没有说明的图片',
  footnotes: '脚注',
  footnote: (number) => `脚注 ${formatNumber(TAG, number)}`,
  backToText: '回到正文',
  taskDone: '已完成',
  taskOpen: '未完成',
};
