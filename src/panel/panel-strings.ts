// The texts of the panel's own buttons, in the languages of the interface. They are few, so they are one file.

const en = {
  title: 'Sign language',
  move: 'Move to the next corner. Arrow keys move it too.',
  smaller: 'Smaller',
  larger: 'Larger',
  minimise: 'Minimise',
  restore: 'Show the signer',
  fullscreen: 'Full screen',
  exitFullscreen: 'Leave full screen',
  close: 'Close',
};

export type PanelStrings = typeof en;

const languages: Readonly<Record<string, PanelStrings>> = {
  en,
  cy: {
    title: 'Iaith arwyddion',
    move: 'Symud i’r gornel nesaf. Mae’r bysellau saeth yn ei symud hefyd.',
    smaller: 'Llai',
    larger: 'Mwy',
    minimise: 'Lleihau',
    restore: 'Dangos yr arwyddwr',
    fullscreen: 'Sgrin lawn',
    exitFullscreen: 'Gadael y sgrin lawn',
    close: 'Cau',
  },
  es: {
    title: 'Lengua de signos',
    move: 'Mover a la siguiente esquina. Las flechas también lo mueven.',
    smaller: 'Más pequeño',
    larger: 'Más grande',
    minimise: 'Minimizar',
    restore: 'Mostrar el vídeo',
    fullscreen: 'Pantalla completa',
    exitFullscreen: 'Salir de pantalla completa',
    close: 'Cerrar',
  },
  fr: {
    title: 'Langue des signes',
    move: 'Déplacer vers le coin suivant. Les flèches le déplacent aussi.',
    smaller: 'Plus petit',
    larger: 'Plus grand',
    minimise: 'Réduire',
    restore: 'Afficher le signeur',
    fullscreen: 'Plein écran',
    exitFullscreen: 'Quitter le plein écran',
    close: 'Fermer',
  },
  de: {
    title: 'Gebärdensprache',
    move: 'In die nächste Ecke. Pfeiltasten bewegen es auch.',
    smaller: 'Kleiner',
    larger: 'Größer',
    minimise: 'Minimieren',
    restore: 'Gebärdenvideo zeigen',
    fullscreen: 'Vollbild',
    exitFullscreen: 'Vollbild beenden',
    close: 'Schließen',
  },
  pt: {
    title: 'Língua gestual',
    move: 'Mover para o canto seguinte. As setas também o movem.',
    smaller: 'Mais pequeno',
    larger: 'Maior',
    minimise: 'Minimizar',
    restore: 'Mostrar o vídeo',
    fullscreen: 'Ecrã inteiro',
    exitFullscreen: 'Sair do ecrã inteiro',
    close: 'Fechar',
  },
  ar: {
    title: 'لغة الإشارة',
    move: 'انقل إلى الزاوية التالية. مفاتيح الأسهم تنقله أيضًا.',
    smaller: 'أصغر',
    larger: 'أكبر',
    minimise: 'تصغير',
    restore: 'إظهار الفيديو',
    fullscreen: 'ملء الشاشة',
    exitFullscreen: 'الخروج من ملء الشاشة',
    close: 'إغلاق',
  },
};

/** The language of these texts for a BCP 47 tag: its primary language, else English. */
export function panelLanguage(tag: string): string {
  const language = tag.toLowerCase().split(/[-_]/)[0]!;
  return Object.hasOwn(languages, language) ? language : 'en';
}

export const panelStrings = (tag: string): PanelStrings => languages[panelLanguage(tag)]!;
