// Checks ids that come from outside before they are written into a path.
// - 1 to 256 letters, digits or `. _ ~ : = + @ , -` pass, and not dots alone. The documents show no shape for an id, so base64 and
//   addresses of AWS pass too.

const SEGMENT = /^(?!\.+$)[\w.~:=+@,-]{1,256}$/;

export const isPathSegment = (id: string): boolean => SEGMENT.test(id);
