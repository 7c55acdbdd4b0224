// Pages of the dev server reach the proxy at /sign, as they will on the site; `npm start` of Sign Elements listens on port 8787.
import solid from 'vite-plugin-solid';

export default {
  plugins: [solid()],
  server: {
    proxy: {
      '/sign': { target: process.env.SIGN_PROXY ?? 'http://127.0.0.1:8787', ws: true },
    },
  },
};
