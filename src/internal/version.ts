// The release that this code is of; two copies on one page compare it. The build puts in the version of package.json.
declare const SIGN_ELEMENTS_VERSION: string | undefined;

export const version: string =
  typeof SIGN_ELEMENTS_VERSION === 'string' ? SIGN_ELEMENTS_VERSION : 'development';
