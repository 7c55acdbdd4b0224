// The release that this code is of; two copies on one page compare it. A test holds it to package.json.
export const version = '0.1.0';
