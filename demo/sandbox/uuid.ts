// The ids that the documents call UUIDs: of announcement requests, translation jobs and live sessions (documents 1 and 2).
// Policy: made in version 4; read in any version and letter case.

const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (id: string): boolean => SHAPE.test(id);

/** The one made of 32 hex digits. */
export const uuidOf = (hex: string): string =>
  hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
