// The form of a design and what is made of it: the API and the console share the code.
export * from '../../../../src/rules/blocks/index.ts';
