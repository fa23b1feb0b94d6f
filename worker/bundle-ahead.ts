import { workflowCode } from './workflow-code';

// Run while a first start fetches its servers: the worker then finds the workflows' code, and itself compiled. It says itself why it could not be made.
void workflowCode();
