/** Common emoji by Slack's names. The name of any other emoji is shown as it is written. */
export const emoji = new Map(
  `+1 👍 thumbsup 👍 -1 👎 wave 👋 clap 👏 pray 🙏 muscle 💪 raised_hands 🙌 ok_hand 👌 point_right 👉
  smile 😄 slightly_smiling_face 🙂 grin 😁 joy 😂 wink 😉 blush 😊 sunglasses 😎 thinking_face 🤔
  cry 😢 sweat_smile 😅 heart ❤️ tada 🎉 sparkles ✨ star ⭐ fire 🔥 rocket 🚀 eyes 👀 bulb 💡
  moneybag 💰 money_with_wings 💸 euro 💶 dollar 💵 pound 💷 yen 💴 coin 🪙 credit_card 💳 bank 🏦
  receipt 🧾 pig 🐷 pig2 🐖 chart 💹 chart_with_upwards_trend 📈 chart_with_downwards_trend 📉
  bar_chart 📊 arrow_up ⬆️ arrow_down ⬇️ arrow_right ➡️ bell 🔔 alarm_clock ⏰ hourglass ⌛
  calendar 📆 date 📅 memo 📝 pushpin 📌 lock 🔒 key 🔑 email ✉️ envelope ✉️ loudspeaker 📢
  warning ⚠️ rotating_light 🚨 white_check_mark ✅ heavy_check_mark ✔️ x ❌ question ❓ exclamation ❗
  information_source ℹ️ red_circle 🔴 large_green_circle 🟢 large_yellow_circle 🟡
  large_blue_circle 🔵 sunny ☀️ sunrise 🌅 cloud ☁️ umbrella ☔ snowflake ❄️ coffee ☕ croissant 🥐
  fr 🇫🇷 house 🏠 office 🏢 factory 🏭 package 📦 truck 🚚 handshake 🤝`
    .trim()
    .split(/\s+/)
    .flatMap((name, index, words) => {
      const drawing = words[index + 1];
      return index % 2 === 0 && drawing !== undefined ? [[name, drawing] as const] : [];
    }),
);
