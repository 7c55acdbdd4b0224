// French interface texts.
import type { Strings } from './en.ts';

export const fr: Strings = {
  label: 'Vidéo en langue des signes (générée par IA)',
  play: 'Lire',
  pause: 'Pause',
  replay: 'Signer à nouveau',
  speed: 'Vitesse',
  fullscreen: 'Plein écran',
  signPage: 'Signer ce texte',
  preparing: 'Les signes arrivent…',
  reconnecting: 'Nouvelle connexion…',
  errorNoText: 'Il n’y a pas de texte à signer.',
  errorSigner: 'Ce signeur n’est pas disponible pour cette langue.',
  errorService: 'Le service de signes n’est pas disponible pour le moment. Réessayez plus tard.',
  errorRefused: 'Les signes ne sont pas activés pour cette page.',
  errorMedia: 'La vidéo n’a pas pu être affichée.',
  errorTooLong: 'Ce texte est trop long. Choisissez une partie plus courte.',
  errorText: 'Ce texte n’a pas pu être signé.',
};
