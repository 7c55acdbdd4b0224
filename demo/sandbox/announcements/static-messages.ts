// The predefined messages (document 1, `staticMessage`). Policy: the service keeps a fixed set whose codes are not shown;
// the sandbox has these ten, and a refusal of any other code lists them.

const messages = {
  SEE_IT_SAY_IT:
    'If you see something that does not look right, please speak to a member of staff or text the British Transport Police on 61016.',
  UNATTENDED_ITEMS: 'Please keep your belongings with you at all times. Unattended items may be removed.',
  MIND_THE_GAP: 'Please mind the gap between the train and the platform.',
  STAND_BACK: 'Please stand well back from the edge of the platform.',
  FAST_TRAIN:
    'The next train does not stop at this station. Please stand well back from the edge of the platform.',
  NO_SMOKING: 'Smoking and vaping are not allowed anywhere in this station.',
  SLIPPERY_SURFACES: 'Surfaces may be slippery today. Please take care in the station.',
  TICKETS_READY: 'Please have your tickets ready for inspection.',
  FIRE_ALARM_TEST: 'The fire alarm is about to be tested. You do not need to take any action.',
  EVACUATE: 'Please leave the station at once by the nearest exit.',
} as const;

export const staticMessageCodes: readonly string[] = Object.keys(messages);

/** The message's words, null when there is no such code. */
export const staticMessageOf = (code: string): string | null =>
  Object.hasOwn(messages, code) ? messages[code as keyof typeof messages] : null;
