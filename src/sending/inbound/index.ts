export { getReceivedAttachment, listReceived, receiveMessage } from './service';
export type { ReceivedAttachment, ReceivedMessage } from './service';
