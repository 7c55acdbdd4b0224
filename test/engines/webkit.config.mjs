// `npm run test:webkit`: the browser tests in WebKitGTK, the nearest to Safari that can be had without a Mac. Policy: the
// same tests, settings, proxy and sandbox as in Chromium; only the browser differs. Not a part of `npm test`, whose time it
// would double.
import shared from '../../web-test-runner.config.mjs';
import { webkitLauncher } from './webkit-launcher.mjs';

export default { ...shared, browsers: [webkitLauncher()] };
