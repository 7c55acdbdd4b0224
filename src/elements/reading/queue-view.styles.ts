// The styles of the list of sentences. They are loaded with it, because most visitors never open it.

export const queueStyles = `
  .list { margin: 0; padding: 0; max-block-size: min(40vh, 20rem); overflow: auto; list-style: none; background: Canvas; }
  .list li { display: flex; gap: 0.25rem; align-items: center; border-block-start: 1px solid; }
  .list .jump { flex: 1; justify-content: start; text-align: start; background: none; color: inherit; }
  .list .jump:hover { text-decoration: underline; }
  .list [aria-current] { font-weight: bold; }
  .list small { flex: none; }
  .list li > :last-child { margin-inline-end: 0.25rem; }
`;
