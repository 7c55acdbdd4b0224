// The pages of the documentation in the order of its menu, by group.
// - A page is named by its file in the repository; its title is its first heading.
// - A markdown file of `docs/` that is in no group stops the build.
export const groups = [
  ['Start', ['README.md']],
  [
    'Elements',
    [
      'docs/elements.md',
      'docs/sign-translate.md',
      'docs/sign-live-player.md',
      'docs/sign-silence-loop.md',
      'docs/sign-announcement.md',
      'docs/errors.md',
    ],
  ],
  ['Guides', ['docs/security-policy.md', 'docs/accessibility.md', 'docs/prepared.md']],
  ['Proxy', ['docs/proxy.md']],
  [
    'Development',
    [
      'docs/sandbox.md',
      'docs/testing.md',
      'docs/measurements.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  ],
];

/** The page that a file of the repository becomes, by its path from the root. */
export const pageOf = (file) =>
  file === 'README.md'
    ? 'index.html'
    : `${file
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .toLowerCase()}.html`;
