// Which fields cannot stand together (document 1: `currentStation` and `operatorDelay` in the tables; "invalid parameter
// combinations" under 400). Policy: besides the two that the document names, only what contradicts itself is refused:
// a cancelled train that is also delayed, moved or arriving; a delay without end that has one; a platform and none; a
// station that is called at and not. Whatever can be spoken is accepted.
import type { FieldName, FieldValues } from './announcement-fields.ts';

/** First field, the field it cannot be without. */
const needs: readonly (readonly [FieldName, FieldName])[] = [
  ['currentStation', 'busReplacement'],
  ['operatorDelay', 'operator'],
];

/** First field, the fields it cannot be with. */
const excludes: readonly (readonly [FieldName, readonly FieldName[]])[] = [
  [
    'cancelled',
    ['shortDelay', 'longDelay', 'updatedTiming', 'updatedPlatform', 'platformInfo', 'arrivalInfo'],
  ],
  ['shortDelay', ['updatedTiming']],
  ['longDelay', ['updatedTiming']],
  ['noPlatform', ['platform', 'updatedPlatform']],
];

/**
 * What contradicts itself, in words.
 * @param says whether a field is there and says something: it is not empty and no flag that is false
 * @param values what was understood of the fields
 */
export function contradictions(
  says: (name: FieldName) => boolean,
  values: Partial<FieldValues>,
): readonly string[] {
  const lacking = needs
    .filter(([name, needed]) => says(name) && !says(needed))
    .map(([name, needed]) => `${name}: needs ${needed}`);
  const clashing = excludes.flatMap(([name, others]) =>
    says(name) ? others.filter(says).map((other) => `${other}: cannot be together with ${name}`) : [],
  );
  const both = values.notCallingAt?.filter((station) => values.callingAt?.includes(station)) ?? [];
  return [...lacking, ...clashing, ...both.map(({ crs }) => `notCallingAt: ${crs} is in callingAt, too`)];
}
