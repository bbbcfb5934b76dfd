import type { Texts } from '../texts';

export const common: Texts['common'] = {
  save: '保存',
  cancel: '取消',
  close: '关闭',
  delete: '删除',
  undo: '撤销',
  retry: '重试',
  copy: '复制',
  copied: '已复制',
  copyFailed: '浏览器不允许复制。请选中文字后手动复制。',
  dismiss: '知道了',
  loading: '正在加载…',
  reload: '重新加载',
  details: '详细信息',
  off: '关',
  required: '必填',
};
