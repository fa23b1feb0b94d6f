export { getReceivedAttachment } from './attachments';
export type { ReceivedAttachment, ReceivedMessage } from './row';
export { listReceived, receiveMessage } from './service';
