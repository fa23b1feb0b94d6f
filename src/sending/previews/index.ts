export { previewTemplate, testSendContent, testSendTemplate } from './preview';
