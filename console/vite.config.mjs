import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Packages mark what a server may not run; here nothing runs on one.
    rolldownOptions: { onLog: (level, log, say) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && say(level, log) },
  },
  // `npm run dev` in this folder uses an API that runs separately.
  server: {
    proxy: { '/v1': 'http://localhost:3000', '/console/session': 'http://localhost:3000', '/console/frame': 'http://localhost:3000' },
  },
});
