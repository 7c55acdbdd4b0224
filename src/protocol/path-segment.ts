// An id of the service as one part of a path. Policy: the documents call ids strings and show no shape, so any passes that
// a path can hold as it is: 1 to 100 letters, digits and . _ ~ : - that are not all dots, and so never lead out of it.
const SEGMENT = /^(?!\.+$)[\w.~:-]{1,100}$/;

export const isPathSegment = (id: string): boolean => SEGMENT.test(id);
