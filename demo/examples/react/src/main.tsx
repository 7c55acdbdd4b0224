// Hydrates the HTML that the build has rendered. The dev server has no such HTML.
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './App';

const root = document.getElementById('app')!;
const page = (
  <StrictMode>
    <App />
  </StrictMode>
);
if (root.firstElementChild) hydrateRoot(root, page);
else createRoot(root).render(page);
