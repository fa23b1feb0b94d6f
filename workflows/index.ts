export { deliveryPump } from './delivery-pump';
export { scheduledSend } from './scheduled-send';
export { sweep } from './sweep';
