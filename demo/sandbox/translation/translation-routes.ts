// The translation API (document 2 without its live half), as one plugin. Policy of a request, in this order: the faults in
// force, its key, its method, its body; every error is in the flat envelope.
import type { FastifyPluginAsync } from 'fastify';
import { apiKeyRequired } from '../api-key.ts';
import { answerFlat, FlatError } from './flat-error.ts';
import { generateRoutes } from './generate-routes.ts';
import { JobStore } from './job-store.ts';
import { silenceRoute } from './silence-route.ts';
import { statusRoute } from './status-route.ts';
import type { TranslationSurroundings } from './surroundings.ts';

export type { TranslationSurroundings } from './surroundings.ts';

export const translationRoutes =
  (around: TranslationSurroundings): FastifyPluginAsync =>
  async (app) => {
    answerFlat(app, around);
    app.addHook(
      'onRequest',
      apiKeyRequired(around.apiKey, (why) => new FlatError(401, 'unauthorized', why)),
    );
    const store = new JobStore(around.clock);
    generateRoutes(app, around, store);
    statusRoute(app, around, store);
    silenceRoute(app, around);
  };
