export { prepareConsoleMail } from './mail';
