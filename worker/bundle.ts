import { renameSync, writeFileSync } from 'node:fs';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

/** Bundles in a process of its own, so that a worker does not keep the memory of bundling: `bundle.ts <file> [traced]` writes the workflows' code to the file. */
async function main(file: string, traced: boolean): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    logger: new DefaultLogger('ERROR'),
    // Read once for all workflows of a thread, not once for each: they keep nothing outside of their functions.
    preloadModules: [require.resolve('../workflows')],
    // Lines of ours in traces of errors. The sources themselves would be held by each thread.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-cheap-module-source-map' }),
    ...(traced && { workflowInterceptorModules: [require.resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')] }),
  });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
}

const [file = '', traced] = process.argv.slice(2);
main(file, traced === 'traced').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
