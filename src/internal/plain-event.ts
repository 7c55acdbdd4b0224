// Makes an event without a detail, which does not bubble: what `new Event(type)` makes.
// - MooTools, which Joomla 3 loads, replaces `Event` with a type of its own, which wraps `window.event`. It leaves `CustomEvent`
//   alone.

export const plainEvent = (type: string): Event => new CustomEvent(type);
