// The variables of a proxy in front of the sandbox: the addresses and credentials of an account, and any free port.

/** @param {import('../../demo/sandbox/addresses.ts').SandboxAddresses} addresses of the account */
export const proxyVariables = ({ apiUrl, wsUrl, apiKey, transportUrl, authUrl, clientId, clientSecret }) => ({
  PORT: '0',
  SIGN_API_URL: apiUrl,
  SIGN_WS_URL: wsUrl,
  SIGN_API_KEY: apiKey,
  SIGN_TRANSPORT_URL: transportUrl,
  SIGN_AUTH_URL: authUrl,
  SIGN_CLIENT_ID: clientId,
  SIGN_CLIENT_SECRET: clientSecret,
});
