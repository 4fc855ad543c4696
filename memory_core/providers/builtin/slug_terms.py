"""English words for Japanese, Chinese and Korean terms of software work, so that a slug can say what a record is about.

Data and one scan, longest term first. No translation: what is not in the tables is left out, unknown katakana is
written in Latin letters (Hepburn, without long vowels).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from memory_core.consolidate.similar import JA_NOT, ZH_DONT


def _table(text: str) -> dict[str, str]:
    pairs = (entry.split("=") for entry in text.split())
    return {term: word for terms, word in pairs for term in terms.split("|")}


# `term|term=word`. Things first, then what is done with them.
_JA = _table(
    """
    データベース=database ステージング=staging プルリクエスト|プルリク=pull-request マージリクエスト=merge-request
    コミット=commit ブランチ=branch マージ=merge プッシュ=push リベース=rebase レビュー=review リリース=release
    メールアドレス=mail-address メール=mail ログ=log テスト=test キュー=queue ジョブ=job エクスポート=export
    インポート=import
    リトライ=retry キャッシュ=cache サーバー|サーバ=server クライアント=client ユーザー|ユーザ|利用者=user
    パスワード=password トークン=token セッション=session ファイル=file フォルダ|フォルダー|ディレクトリ=folder
    テーブル=table カラム=column インデックス=index クエリ=query スキーマ=schema マイグレーション|移行=migration
    デプロイ=deploy ビルド=build コンテナ=container パッケージ=package ライブラリ=library モジュール=module
    バージョン=version エラー=error 例外=exception タイムアウト=timeout スレッド=thread プロセス=process
    メモリ=memory ディスク=disk ネットワーク=network ポート=port ホスト=host ドメイン=domain リンク=link
    ページ=page ボタン=button フォーム=form コード=code コメント=comment ドキュメント|文書=docs 変数=variable
    関数=function クラス=class 設定=config 環境変数=environment-variable 環境=environment 本番=production
    開発=development 認証=auth 認可|権限=permission 暗号化|暗号=encryption 署名=signature 鍵=key 秘密=secret
    個人情報=personal-data 住所=address 注文=order 顧客=customer 請求=billing 支払い|支払|決済=payment
    金額=amount 在庫=stock 商品=product 画像=image 通知=notification 予約=booking 検索=search 日付=date
    時刻|時間=time 日時=datetime 夜間=nightly 日曜の夜|日曜日の夜=sunday-night 毎週=weekly 毎日=daily 毎月=monthly
    日曜日|日曜=sunday 月曜日|月曜=monday 金曜日|金曜=friday バックグラウンド=background 並列=parallel
    非同期=async 同期=sync 依存関係|依存=dependency 警告=warning 名前=name 命名=naming
    英語=english 日本語=japanese 文字コード=encoding 改行=newline インデント=indent フック=hook レスポンス=response
    リクエスト=request ヘッダー|ヘッダ=header エンドポイント=endpoint イベント=event メッセージ=message
    フレームワーク=framework フラグ=flag ロック=lock バックアップ=backup リセット=reset コマンド=command
    スクリプト=script テンプレート=template パス=path サイズ=size 上限=limit 速度=speed リファクタリング=refactoring
    直接=direct 送信=send 受信=receive 追加=add 削除=delete 変更=change 更新=update 保存=save 記録=record
    分割=split 統合=merge 実行=run 作成=create 導入=introduce 修正=fix 確認=check 生成=generate 計算=calculate
    表示=show 非表示=hide 圧縮=compress 検証=validate 禁止=no 使わ=use 使う=use 使い=use
    呼び出|呼ぶ=call 書く|書か=write
    """
)
_ZH = _table(
    """
    数据库=database 合并请求=merge-request 拉取请求=pull-request 提交=commit 分支=branch 合并=merge 推送=push
    评审|代码审查=review 发布=release 邮箱地址=email-address 邮箱|邮件=email 地址=address 日志=log 测试=test
    队列=queue 后台=background 任务=job 导出=export 导入=import 重试=retry 缓存=cache 服务器=server 服务=service
    客户端=client 用户=user 密码=password 令牌=token 会话=session 文件夹|目录=folder 文件=file 分库=sharding
    订单表=orders-table 订单=order 索引=index 查询=query 迁移=migration 部署=deploy 构建=build
    容器=container 依赖包|依赖=dependency 模块=module 版本=version 错误=error 异常=exception
    超时=timeout 线程=thread 进程=process 内存=memory 磁盘=disk 网络=network 端口=port 域名=domain 链接=link
    页面=page 按钮=button 表单=form 代码=code 注释=comment 文档=docs 变量=variable 函数=function 类型=type
    配置=config 环境变量=environment-variable 测试环境=test-environment 生产环境|生产=production 环境=environment
    开发=development 认证=auth 权限=permission 加密=encryption 签名=signature 密钥=key 隐私=privacy 客户=customer
    账单=billing 支付=payment 金额=amount 库存=stock 商品=product 图片=image 通知=notification 搜索=search
    日期=date 时间=time 夜间=nightly 每周=weekly 每天=daily 异步=async 同步=sync 并行=parallel 警告=warning
    命名=naming 编码=encoding 换行=newline 缩进=indent 响应=response 请求体=request-body 请求=request 接口=api
    事件=event 消息=message 框架=framework 开关=flag 备份=backup 重置=reset 命令=command 脚本=script
    模板=template 路径=path 大小=size 上限=limit 速度=speed 重构=refactoring 中文=chinese 英文=english
    直接=direct 发送=send 接收=receive 添加|加上|增加=add 删除=delete 修改=change 更新=update 保存=save
    记录=record 拆分=split 执行|运行=run 创建=create 修复=fix 检查=check 生成=generate 计算=calculate 安装=install
    显示=show 压缩=compress 验证|校验=validate 太慢|很慢=slow 禁止=no
    """
)
_KO = _table(
    """
    데이터베이스=database 스테이징=staging 풀리퀘스트=pull-request 커밋=commit 브랜치=branch 병합|머지=merge
    푸시=push 리뷰=review 릴리스|릴리즈=release 이메일=email 메일=mail 주소=address 블로그=blog 로그=log 테스트=test
    큐=queue
    작업=job 내보내기=export 가져오기=import 재시도=retry 캐시=cache 서버=server 클라이언트=client 사용자=user
    비밀번호=password 토큰=token 세션=session 폴더|디렉터리=folder 파일=file 주문=order 테이블=table
    인덱스=index 쿼리=query 스키마=schema 마이그레이션=migration 배포=deploy 빌드=build 컨테이너=container
    의존성=dependency 패키지=package 라이브러리=library 모듈=module 버전=version 오류|에러=error 예외=exception
    타임아웃=timeout 스레드=thread 프로세스=process 메모리=memory 디스크=disk 네트워크=network 포트=port
    도메인=domain 링크=link 페이지=page 버튼=button 코드=code 주석=comment 문서=docs 변수=variable 함수=function
    설정=config 환경변수=environment-variable 환경=environment 운영=production 개발=development 인증=auth
    권한=permission 암호화=encryption 서명=signature 고객=customer 청구=billing 결제=payment 금액=amount 재고=stock
    상품=product 이미지=image 알림=notification 검색=search 날짜=date 시간=time 야간=nightly 매주=weekly 매일=daily
    비동기=async 동기=sync 병렬=parallel 경고=warning 이름=name 응답=response 요청=request 이벤트=event
    메시지=message 프레임워크=framework 플래그=flag 백업=backup 초기화=reset 명령=command 스크립트=script
    템플릿=template 경로=path 크기=size 웹훅=webhook 백그라운드=background 직접=direct 전송=send 추가=add
    삭제=delete 변경|수정=change 저장=save 기록=record 실행=run 생성=create 확인=check 느려|느린=slow 금지=no
    설치=install 검증=validate
    """
)
TERMS: Mapping[str, Mapping[str, str]] = {"ja": _JA, "zh": _ZH, "ko": _KO}
_LATIN = r"[A-Za-z][A-Za-z0-9]*(?:[._/-][A-Za-z0-9]+)*"
_KATAKANA = r"[\u30a1-\u30fa][\u30a1-\u30fa\u30fc]{2,}"
_ROMAJI = _table(
    "ア=a イ=i ウ=u エ=e オ=o カ=ka キ=ki ク=ku ケ=ke コ=ko サ=sa シ=shi ス=su セ=se ソ=so タ=ta チ=chi ツ=tsu テ=te "
    "ト=to ナ=na ニ=ni ヌ=nu ネ=ne ノ=no ハ=ha ヒ=hi フ=fu ヘ=he ホ=ho マ=ma ミ=mi ム=mu メ=me モ=mo ヤ=ya ユ=yu ヨ=yo "
    "ラ=ra リ=ri ル=ru レ=re ロ=ro ワ=wa ヲ=o ン=n ガ=ga ギ=gi グ=gu ゲ=ge ゴ=go ザ=za ジ=ji ズ=zu ゼ=ze ゾ=zo ダ=da "
    "ヂ=ji ヅ=zu デ=de ド=do バ=ba ビ=bi ブ=bu ベ=be ボ=bo パ=pa ピ=pi プ=pu ペ=pe ポ=po ヴ=vu"
)
_ACTS = frozenset(
    re.split(
        " ",
        "send receive add delete change update save record split run create introduce fix check generate calculate "
        "show hide compress validate use call write install",
    )
)
_SMALL = _table("ァ=a ィ=i ゥ=u ェ=e ォ=o ャ=a ュ=u ョ=o")
_DENIES = re.compile(
    rf"{JA_NOT}(?:で|こと|よう|$|[、。])"
    r"|禁止|不要(?!求)|不得(?!不)|不可(?![用变见靠避逆])|不能|勿|严禁|지 ?(?:마|말|않)|금지"
    rf"|{ZH_DONT}"
)
# Where a first part ends that settles something by itself (`A를 12자로 하고 B는 …`): what is said behind it denies
# nothing of what the name begins with.
_SETTLED = re.compile(r"로 (?:하|두|정하|유지하)고\s|[にと]し(?:て)?、")


def terms_in(text: str, language: str) -> list[tuple[str, str]]:
    """The terms of a text in their order, as (what stands there, its word), each word once. Korean is matched without
    its blanks, which people set as they like."""
    found: dict[str, str] = {}
    for match in _pattern(language).finditer(text):
        said = match.group()
        word = TERMS[language].get(re.sub(r"\s", "", said))
        if word is None:
            word = said.rsplit("/", 1)[-1].lower() if said.isascii() else _romaji(said)
        if word != "no":
            found.setdefault(word, said)
    return [(said, word) for word, said in found.items()]


def name_words(text: str, language: str) -> list[str]:
    """The words of a name for a text: whether it forbids, what is to be done, then what it is about."""
    words = [word for _, word in terms_in(text, language)]
    acts = [word for word in words if word in _ACTS]
    if acts and len(words) > 1:  # these languages say last what is done; a name in English says it first
        words.remove(acts[-1])
        words.insert(0, acts[-1])
    return ["no", *words] if words and denies(text) else words


def denies(text: str) -> bool:
    """Whether a statement forbids something, or the first of its parts does."""
    return bool(_DENIES.search(_SETTLED.split(text, maxsplit=1)[0]))


@cache
def _pattern(language: str) -> re.Pattern[str]:
    terms = sorted(TERMS[language], key=lambda term: (-len(term), term))
    gap = r"\s?" if language == "ko" else ""
    known = "|".join(gap.join(map(re.escape, term)) for term in terms)
    return re.compile(rf"{_LATIN}|{known}|{_KATAKANA}" if language == "ja" else rf"{_LATIN}|{known}")


def _romaji(text: str) -> str:
    letters = ""
    for at, sign in enumerate(text):
        if sign in _SMALL:
            bare = letters[:-1] if letters and letters[-1] in "aiueo" else letters
            y = "y" if sign in "ャュョ" and not bare.endswith(("sh", "ch", "j")) else ""
            letters = bare + y + _SMALL[sign]
        elif sign == "ッ":
            letters += _ROMAJI.get(text[at + 1 : at + 2], "")[:1]
        else:
            letters += _ROMAJI.get(sign, "")
    return letters
