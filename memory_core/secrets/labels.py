"""What a password and a key are called before their value, in other languages than English. One table: a word more is a
language more."""

from __future__ import annotations

PASSWORDS: tuple[str, ...] = (
    *("пароль", "гасло", "парола", "лозинка", "κωδικός", "סיסמה", "كلمة المرور", "كلمة السر", "رمز عبور"),
    *("पासवर्ड", "รหัสผ่าน", "mật khẩu", "passwort", "kennwort", "senha", "palavra-passe", "contraseña"),
    *("mot de passe", "hasło", "heslo", "wachtwoord", "lösenord", "adgangskode", "kodeord", "passord", "salasana"),
    *("jelszó", "şifre", "lozinka", "slaptažodis", "parool", "parole", "kata sandi", "kata laluan", "lykilorð"),
    "contrasenya",
)
# Words that mean other things too, or keys: behind them a value is asked for that is no word.
OTHERS: tuple[str, ...] = (
    *("clave", "mdp", "parola", "geslo", "токен", "ключ", "schlüssel", "apiキー", "api密钥", "api密鑰", "api키"),
)
# The same where no blank stands between words.
WIDE_PASSWORDS: tuple[str, ...] = ("パスワード", "暗証番号", "密码", "密碼", "비밀번호", "ｐａｓｓｗｏｒｄ")
WIDE_OTHERS: tuple[str, ...] = (
    "トークン",
    "キー",
    "秘密鍵",
    "令牌",
    "密钥",
    "密鑰",
    "口令",
    "토큰",
    "시크릿",
    "シークレット",
    "鍵",
)
