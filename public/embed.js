// Embeds a shop's returns portal into the page with this script:
//   <div id="returns"><a href="https://returns.example/my-shop">Return something</a></div>
//   <script src="https://returns.example/embed.js" data-shop="my-shop" data-target="#returns" async></script>
// Without data-target, the portal comes after the script. The target's content stays until the portal is loaded, and if it may not
// be shown. data-order-number, data-email and data-postal-code fill in the first form; data-lang is the language, by default
// the page's; data-title is the frame's title for screen readers. See docs/embedding.md; the counterpart is
// app/portal/src/embed/frame.js.
(() => {
  const script = document.currentScript;
  const { shop, target, title = 'Returns', orderNumber, email, postalCode } = script.dataset;
  const { lang = document.documentElement.lang } = script.dataset;
  const { origin } = new URL(script.src);
  if (!shop) return console.error('embed.js: data-shop is missing');
  const place = target ? document.querySelector(target) : script.parentNode.insertBefore(document.createElement('div'), script.nextSibling);
  if (!place) return console.error(`embed.js: there is no ${target}`);

  const frame = document.createElement('iframe');
  frame.src = `${origin}/${encodeURIComponent(shop)}${lang && `?lang=${encodeURIComponent(lang)}`}`;
  frame.title = title;
  // Hidden until it has something to show: if it is refused, the target's content stays.
  frame.style.cssText = 'display:block;width:100%;height:0;border:0;visibility:hidden';
  place.append(frame);

  const say = (type, data) => frame.contentWindow.postMessage({ type: `retour:${type}`, ...data }, origin);
  const tell = (type, detail) => dispatchEvent(new CustomEvent(`retour:${type}`, { detail }));

  let asked = false;
  const follow = () => {
    asked = false;
    const { top, bottom } = frame.getBoundingClientRect();
    say('view', { above: Math.max(0, -top), below: Math.max(0, bottom - innerHeight) });
  };
  // At most once per animation frame.
  const moved = () => {
    if (frame.style.visibility) return; // the portal is not in it yet
    if (!asked) requestAnimationFrame(follow);
    asked = true;
  };
  addEventListener('scroll', moved, { passive: true });
  addEventListener('resize', moved);

  let steps = 0;
  const heard = {
    step({ step, returnOrderId }) {
      say('fit', {});
      if (step === 'look-up') say('order', { orderNumber, email, postalCode });
      // A new page is scrolled to its start; the first one does not scroll the shop's page.
      if (steps++ > 0 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
      tell('step', { step, returnOrderId });
    },
    completed: ({ returnOrderId }) => tell('completed', { returnOrderId }),
    height({ height }) {
      frame.style.height = `${height}px`;
      frame.style.visibility = '';
      for (const other of [...place.childNodes]) if (other !== frame) other.remove();
      moved();
    },
    // Keeps the focused element in view, even in shop pages with custom scrolling.
    focus({ top, bottom }) {
      const at = frame.getBoundingClientRect().top;
      if (at + top < 0) scrollBy(0, at + top - 24);
      else if (at + bottom > innerHeight) scrollBy(0, Math.min(at + top, at + bottom - innerHeight + 24));
    },
  };
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || typeof data?.type !== 'string') return;
    const [, type] = data.type.split('retour:');
    if (Object.hasOwn(heard, type ?? '')) heard[type](data);
  });
})();
