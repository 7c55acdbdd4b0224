// Next.js changes `Host` when it forwards, so pages name the proxy themselves (app/page.tsx), and the proxy allows their origin:
// SIGN_ALLOWED_ORIGINS=http://localhost:3000.
export default { allowedDevOrigins: ['127.0.0.1'], devIndicators: false };
