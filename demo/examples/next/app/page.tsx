// Rendered on the server, the signer's attributes included; news.tsx is then taken over in the browser.
import { News } from './news';

export default function Page() {
  return <News proxy={`${process.env.SIGN_PROXY ?? 'http://127.0.0.1:8787'}/sign`} />;
}
