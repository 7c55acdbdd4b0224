// The server renders the page, with the attributes of the signer. React then hydrates news.tsx in the browser.
import { News } from './news';

export default function Page() {
  return <News proxy={`${process.env.SIGN_PROXY ?? 'http://127.0.0.1:8787'}/sign`} />;
}
