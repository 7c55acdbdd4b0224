// English texts of the control bar, which are loaded with it.

export const barEn = {
  seek: 'Position',
  normalSpeed: 'Normal speed',
  mute: 'Sound off',
  unmute: 'Sound on',
  volume: 'Volume',
  pip: 'Picture in picture',
  exitPip: 'Leave picture in picture',
};

export type BarStrings = typeof barEn;
