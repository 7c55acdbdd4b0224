// The block `sign-elements/signer` in the editor. The server renders it (includes/placing.php).
(({ blocks, blockEditor, components, element, i18n }) => {
  const { createElement, Fragment } = element;
  const { __ } = i18n;
  const placements = ['inline', 'bottom-right', 'bottom-left', 'top-right', 'top-left'];
  blocks.registerBlockType('sign-elements/signer', {
    apiVersion: 2,
    title: __('Signer', 'sign-elements'),
    category: 'widgets',
    icon: 'universal-access-alt',
    attributes: { placement: { type: 'string', default: 'inline' }, language: { type: 'string' } },
    edit({ attributes, setAttributes }) {
      const choice = createElement(components.SelectControl, {
        label: __('Where', 'sign-elements'),
        value: attributes.placement,
        options: placements.map((value) => ({ value, label: value })),
        onChange: (placement) => setAttributes({ placement }),
      });
      return createElement(
        Fragment,
        null,
        createElement(
          blockEditor.InspectorControls,
          null,
          createElement(components.PanelBody, { title: __('Signer', 'sign-elements') }, choice),
        ),
        createElement(
          'p',
          blockEditor.useBlockProps(),
          `${__('A signer of this post:', 'sign-elements')} ${attributes.placement}`,
        ),
      );
    },
    save: () => null,
  });
})(window.wp);
