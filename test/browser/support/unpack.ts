/** By this `@sparticuz/chromium` unpacks the libraries that a bare machine lacks. It looks when it is loaded. */
process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';
