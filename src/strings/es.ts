// Spanish interface texts.
import type { Strings } from './en.ts';

export const es: Strings = {
  label: 'Vídeo en lengua de signos (generado por IA)',
  play: 'Reproducir',
  pause: 'Pausa',
  replay: 'Signar otra vez',
  speed: 'Velocidad',
  fullscreen: 'Pantalla completa',
  signPage: 'Signar este texto',
  preparing: 'Los signos están llegando…',
  reconnecting: 'Conectando de nuevo…',
  errorNoText: 'No hay texto para signar.',
  errorSigner: 'Este signante no está disponible para esta lengua.',
  errorService: 'El servicio de signos no está disponible ahora. Inténtalo más tarde.',
  errorRefused: 'Los signos no están activados para esta página.',
  errorMedia: 'No se pudo mostrar el vídeo.',
  errorTooLong: 'Este texto es demasiado largo. Elige una parte más corta.',
  errorText: 'Este texto no se pudo signar.',
};
