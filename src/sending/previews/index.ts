export { previewTemplate } from './preview';
export { testSendContent, testSendTemplate } from './test-send';
