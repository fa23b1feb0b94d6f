export { previewTemplate } from './preview';
export { testSendTemplate } from './test-send';
